package api

import (
	"errors"

	"sphereserver/data/relief"
	"sphereserver/server/geography"
	"sphereserver/server/tiles"
)

func wholeWorld(s *Server, _ *request) (any, error) {
	w := geography.Whole(s.o.Game.World().Balance)
	s.o.Maps.Describe(&w)
	return w, nil
}

// mapTile sends a tile of the map.
func mapTile(s *Server, r *request) {
	switch err := s.o.Maps.Answer(r.w, r.Request); {
	case errors.Is(err, relief.ErrNoTile):
		s.fail(r, errNoSuch.with(r.URL.Path))
	case errors.Is(err, tiles.ErrBusy):
		s.fail(r, errBusyMaps)
	case err != nil:
		s.fail(r, err)
	}
}
