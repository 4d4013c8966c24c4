// Data to save: kept compressed, unpacked when asked for.
async function unpack(file) {
  const packed = Uint8Array.from(atob(file.gzip), c => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).blob();
}

async function save(file) {
  const url = URL.createObjectURL(new Blob([await unpack(file)], {type: file.type}));
  el('a', {href: url, download: file.name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

function startFiles() {
  if (!$('saves')) return;
  for (const f of data.files || []) {
    const size = f.size < 10240 ? f.size + ' B' : f.size < 10485760 ? Math.round(f.size / 1024) + ' KiB' : Math.round(f.size / 1048576) + ' MiB';
    const b = el('button', {type: 'button'}, `${f.name} `, el('small', {className: 'dim', textContent: size}));
    b.addEventListener('click', () => save(f));
    $('saves').append(b);
  }
}
