// A module of its own, so that nobody who uses the server has to fetch what only a test needs.
module sphereserver/test/minequery

go 1.26.0

require github.com/dreamscached/minequery/v2 v2.5.0

require (
	github.com/google/uuid v1.6.0 // indirect
	github.com/patrickmn/go-cache v2.1.0+incompatible // indirect
	golang.org/x/text v0.3.8 // indirect
)
