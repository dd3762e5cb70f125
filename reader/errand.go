package reader

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// errands are folders of a walk that wait for a goroutine that has time. A
// folder comes back to who left it there when nobody took it, so that none
// waits for one that is not being walked.
type errands struct {
	queue chan *errand
	hands int // how many goroutines may help
	start sync.Once
}

// errand is one folder to walk, with its index entries [from, to).
type errand struct {
	folder   *folder
	from, to int
	taken    atomic.Bool
	done     chan struct{}
	found    findings
	err      error
}

// worthLeaving is from how many entries on a folder is worth an errand: about a
// tenth of a millisecond of work.
const worthLeaving = 128

func newErrands() *errands {
	hands := max(0, min(4, runtime.GOMAXPROCS(0))-1)
	return &errands{queue: make(chan *errand, 2*hands), hands: hands}
}

// leave queues a folder for others; nil when there is no room.
func (q *errands) leave(f *folder, from, to int) *errand {
	e := &errand{folder: f, from: from, to: to, done: make(chan struct{})}
	select {
	case q.queue <- e:
	default:
		return nil
	}
	q.start.Do(func() {
		for range q.hands {
			go q.help()
		}
	})
	return e
}

// help walks folders until end.
func (q *errands) help() {
	for e := range q.queue {
		e.walk()
	}
}

// end sends the helpers home. No errand is open then.
func (q *errands) end() { close(q.queue) }

// walk walks the folder, unless somebody has taken it.
func (e *errand) walk() {
	if e.taken.Swap(true) {
		return
	}
	e.err = e.folder.walk(e.from, e.to, &e.found)
	e.folder.dir.Close()
	close(e.done)
}

// fetch returns once the folder is walked.
func (e *errand) fetch() {
	e.walk()
	<-e.done
}
