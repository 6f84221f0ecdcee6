package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

func (w *World) player(id PlayerID) *player {
	if e := w.entities[EntityID(id)]; e != nil {
		return e.player
	}
	return nil
}

func (w *World) object(id EntityID) *object {
	if e := w.entities[id]; e != nil {
		return e.object
	}
	return nil
}

// named returns the player of a name, nil for nobody. Case does not matter.
func (w *World) named(name string) *player { return w.names[rules.FoldName(name)] }

// add puts an entity where it is to be. Nobody sees it yet.
func (w *World) add(e *entity) {
	e.at, e.lastSent = *e.shown, *e.shown
	e.index = len(w.all[e.sort])
	w.all[e.sort] = append(w.all[e.sort], e)
	w.entities[e.id] = e
	w.grid.add(e)
	w.count(e, 1)
	w.changeView(e.sort, e.index)
}

func (w *World) moveTo(e *entity, to coords.Position) {
	e.at, *e.shown = to, to
	w.grid.move(e)
	w.changeView(e.sort, e.index)
}

// markMoved sees to it that the area of interest of an entity is updated, and that viewers are told where it is.
func (w *World) markMoved(e *entity) {
	if !e.moving {
		e.moving = true
		w.movers = append(w.movers, e)
	}
}

// place puts a player somewhere.
func (w *World) place(p *player, at coords.Position) {
	w.moveTo(&p.entity, at)
	w.markUnsaved(p)
}

// markUnsaved remembers that what is volatile of a player is to be saved.
func (w *World) markUnsaved(p *player) {
	if !p.unsaved {
		p.unsaved = true
		w.unsaved = append(w.unsaved, p)
	}
}
