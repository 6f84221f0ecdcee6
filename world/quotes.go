package world

// quotes are the prices and terms of requests that players were told, by the subject of each. They are good for one
// request, which spends all of its player: a second yes is about nothing.
type quotes[K comparable, V any] map[PlayerID]map[K]V

// tell remembers a quote that a player is told.
func (q quotes[K, V]) tell(id PlayerID, about K, told V) {
	if q[id] == nil {
		q[id] = map[K]V{}
	}
	q[id][about] = told
}

// spend forgets the quotes of a player.
func (q quotes[K, V]) spend(id PlayerID) { delete(q, id) }
