package linediff

// watch asks now and then whether the work is still wanted.
type watch struct {
	stop func() bool
	left int // steps until the next question
}

// stopped unwinds a diff that nobody wants any more, as far as Differ.Diff.
type stopped struct{}

// stepsBetween keeps the question cheap; a step is some thousand operations at
// most, but for Minimal on texts of millions of lines.
const stepsBetween = 8

// step counts a piece of work.
func (w *watch) step() {
	if w.stop == nil {
		return
	}
	if w.left--; w.left < 0 {
		w.left = stepsBetween
		if w.stop() {
			panic(stopped{})
		}
	}
}

// chunk is the number of lines that are a step.
const chunk = 1024

// resumeStopped ends the unwinding.
func resumeStopped() {
	switch r := recover(); r {
	case nil, stopped{}:
	default:
		panic(r)
	}
}
