package packets

// The check of the client's files, which no server needs to ask for. The "inventory" packets of the published article
// are mostly these.

// FileCheckBegin stands before the requests.
type FileCheckBegin struct{}

var _ = fromServer(&managerCommands, 27, func(_ *FileCheckBegin, f *fields) { f.walk(opcode(1)) }, turn(2))

// FileCheck asks the client to check some of its files.
type FileCheck struct {
	Folder [50]byte // ended by NUL
	Mask   [50]byte // of the files' names, ended by NUL
}

var _ = fromServer(&managerCommands, 27, func(m *FileCheck, f *fields) {
	f.bytes(m.Folder[:])
	f.bytes(m.Mask[:])
}, turn(1))

// FileCheckEnd stands behind the requests.
type FileCheckEnd struct{ Value uint8 } // meaning unknown

var _ = fromServer(&managerCommands, 27, func(m *FileCheckEnd, f *fields) { f.walk(opcode(2), &m.Value) }, turn(3))

// FileCheckAnswer is the client's findings. The documents tell its length alone; that it is five numbers of unknown
// meaning is taken from the recordings, which all have 1, 1, 1, -1 and -1.
type FileCheckAnswer struct{ First, Second, Third, Fourth, Fifth int32 }

var _ = fromClient(&managerCommands, 27,
	func(m *FileCheckAnswer, f *fields) { f.walk(&m.First, &m.Second, &m.Third, &m.Fourth, &m.Fifth) }, turn(1))

// FileCheckReport follows it. The documents tell its length alone; the zeros are those of the recordings.
type FileCheckReport struct {
	Code  [8]byte  // meaning unknown
	Zeros [12]byte // room for more of the code
	Rest  [44]byte // layout unknown
}

var _ = fromClient(&managerCommands, 27, func(m *FileCheckReport, f *fields) {
	f.bytes(m.Code[:])
	f.bytes(m.Zeros[:])
	f.bytes(m.Rest[:])
}, turn(2))

// AntiCheat is a report that the client sends once after loading. Source: protocol ingame 4.2.
type AntiCheat struct {
	Code  [8]byte // meaning unknown; the same in all recordings
	Value uint32  // 3
}

var _ = fromClient(&managerCommands, 34, func(m *AntiCheat, f *fields) {
	f.bytes(m.Code[:])
	f.walk(&m.Value)
})
