for (const k of ['curves', 'frames', 'seconds', 'views', 'equal', 'order', 'sweeps']) data[k] ||= [];
startTheme();
startViewer();
startCharts();
startTime();
startLatency();
startSweeps();
startFiles();
startResizing();
on('patterns', dress);
on('scheme', redrawAll);
on('frame', redrawAll);
// For tests, and for the curious at the console.
window.vqeval = {state, groups, setFrame, unpack, data};
