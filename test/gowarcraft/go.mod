// A module of its own, so that nobody who uses the server has to fetch what only this test needs.
module sphereserver/test/gowarcraft

go 1.26.0

require (
	github.com/nielsAD/gowarcraft3 v1.7.1
	golang.org/x/net v0.61.0
)

require (
	github.com/gorilla/websocket v1.4.2 // indirect
	github.com/miekg/dns v1.1.45 // indirect
	go.dedis.ch/protobuf v1.0.11 // indirect
	golang.org/x/mod v0.5.1 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/tools v0.1.8 // indirect
	golang.org/x/xerrors v0.0.0-20200804184101-5ec99f83aff1 // indirect
)
