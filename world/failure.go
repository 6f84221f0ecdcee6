package world

// expel takes an entity that has failed out of sight. A player stays for [Leave] to find, and until its pending
// transaction is settled.
func (w *World) expel(e *entity) {
	if e.object != nil {
		w.places.remove(e.object)
		return
	}
	p := e.player
	p.due = queue[change]{}
	w.ledger.dropWaiting(p)
	w.failed[p.ID] = p
	w.disappear(p)
	if p.leaving || p.lingers { // that has come already
		p.leaving = true
		w.ledger.whenFree(p, w.finishLeave)
	}
}
