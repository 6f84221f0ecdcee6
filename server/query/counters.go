package query

import "sync/atomic"

// An outcome is the fate of a datagram: an answer, or silence for a reason. These protocols have no error messages.
type outcome uint8

const (
	answered     outcome = iota
	badSender            // nothing may be sent to it: port 0, multicast, broadcast
	outOfReach           // the sender is in none of the networks that may ask
	malformed            // no request of the protocol
	badToken             // none, wrong, too old or replaced
	addressLimit         // too many requests of one address
	networkLimit         // too many requests of one network
	totalLimit           // too many answers or bytes in all
	notReady             // the server does not know itself yet
	panicked             // a fault of ours
	sendFailed           // the system did not take the answer
	outcomes
)

var outcomeNames = [outcomes]string{"answers", "dropped_sender", "dropped_reach", "dropped_malformed", "dropped_token",
	"dropped_address_limit", "dropped_network_limit", "dropped_total_limit", "dropped_not_ready", "panics",
	"send_failures"}

// counters are the counts of one socket since its start.
type counters struct {
	outcomes          [outcomes]atomic.Uint64
	bytesIn, bytesOut atomic.Uint64
	readFailures      atomic.Uint64
}

func (c *counters) addTo(all map[string]uint64, prefix string) {
	for i := range c.outcomes {
		all[prefix+outcomeNames[i]] = c.outcomes[i].Load()
	}
	all[prefix+"bytes_in"], all[prefix+"bytes_out"] = c.bytesIn.Load(), c.bytesOut.Load()
	all[prefix+"read_failures"] = c.readFailures.Load()
}
