package linediff

// Differ computes diffs one after another and reuses its memory. The zero
// value is ready; it serves one goroutine at a time.
type Differ struct{}

// Diff is like the function Diff. The result is valid until the next call.
func (d *Differ) Diff(old, new []byte, opts Options) []Change {
	panic("linediff: not built yet")
}
