package passwords

import (
	"encoding/gob"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"sphereserver/data"
)

// argument is the only one of a child; an operator sees it in a list of processes.
const argument = "hash-passwords"

// Called says that this process is a [Worker]'s child.
func Called() bool { return len(os.Args) == 2 && os.Args[1] == argument }

// Main is the work of a child: it answers until its parent has closed the pipe, or has ended in any way. It returns
// the exit code.
func Main() int {
	// A service's stop signal goes to all its processes. This one ends with its parent, which may still have questions.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	leaveNoCore()
	debug.SetGCPercent(-1) // collected after each hash instead, so that the next one has its memory again
	if serve(os.Stdin, os.Stdout) != nil {
		return 1
	}
	return 0
}

// calm is for how long nobody asks before the system has its memory back.
const calm = 10 * time.Second

// serve answers all questions. How many there are at once is the parent's affair, but it forgets questions of clients
// that have gone, and each takes 19 MiB: more than keep the processors busy wait.
func serve(in io.Reader, out io.Writer) error {
	var sending sync.Mutex
	to := gob.NewEncoder(out)
	if err := to.Encode(greeting{protocol}); err != nil {
		return err
	}
	forgotten := time.AfterFunc(calm, debug.FreeOSMemory)
	defer forgotten.Stop()
	from := gob.NewDecoder(in)
	room := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	for {
		var q question
		if err := from.Decode(&q); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		forgotten.Reset(calm)
		go func() {
			room <- struct{}{}
			a := q.answer()
			runtime.GC()
			<-room
			sending.Lock()
			defer sending.Unlock()
			_ = to.Encode(a) // a parent that has gone has closed the other pipe, too
		}()
	}
}

func (q *question) answer() answer {
	a := answer{ID: q.ID}
	var err error
	if q.Verify {
		a.Right, _, err = data.VerifyPassword(q.Hash, q.Password)
	} else {
		a.Hash, err = data.HashPassword(q.Password, q.Params)
	}
	if err != nil {
		a.Fault = err.Error()
	}
	return a
}
