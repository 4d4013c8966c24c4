package batch

// share is how many captures are decoded side by side with their reference. Each
// holds about ten pictures, 30 MB of FullHD, in each of the jobs.
const share = 4

// groupsOf puts items that share a reference together, wherever they stand in the
// plan. Groups come in the order of their first items.
func groupsOf(p Plan, todo []int) [][]int {
	var groups [][]int
	open := map[string]int{} // group of a reference that has room
	for _, i := range todo {
		ref := p.Items[i].Reference
		g, ok := open[ref]
		if !ok {
			g = len(groups)
			open[ref] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
		if len(groups[g]) == share {
			delete(open, ref)
		}
	}
	return groups
}
