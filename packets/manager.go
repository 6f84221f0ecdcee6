package packets

import "sphereserver/coords"

// Commands of region 12. Numbers, lengths and ways: protocol ingame 4.2; those of people of the towns: 4.4.
func init() {
	s := &managerCommands
	npc := func(number uint32, construct func() Command) { s.add(number, FromServer, Class.npc, construct) }
	npc(1, command[Title]())
	npc(2, command[Occupation]())

	server(s, 1, command[CoinsReceived]())
	either(s, 2, command[ChatHeader]())
	either(s, 2, command[ChatPart]())
	client(s, 3, command[Drop]())
	client(s, 3, command[Drag]())
	client(s, 4, command[TakeInHand]())
	client(s, 5, command[Animation]())
	client(s, 6, command[OfferItem]())
	client(s, 6, command[AcceptPrice]())
	server(s, 7, command[PriceOffer]())
	client(s, 8, command[Buy]())
	server(s, 8, command[Bought]())
	server(s, 9, command[SystemText]())
	server(s, 9, command[SystemTextNumber]())
	server(s, 9, command[SystemMessage]())
	client(s, 10, command[FistBlow]())
	server(s, 13, command[Sold]())
	server(s, 15, command[SetCoordinates]())
	server(s, 15, command[SetPlace]())
	client(s, 17, command[SpendPoints]())
	server(s, 18, command[PlayEffect]())
	server(s, 18, command[PlayEffect8]())
	either(s, 21, command[TradeWindow]())
	client(s, 22, command[CreateClan]())
	client(s, 22, command[RecruitToClan]())
	client(s, 22, command[LeaveClan]())
	client(s, 22, command[AcceptApplicant]())
	client(s, 22, command[ChangeClanRank]())
	server(s, 22, command[ClanCreated]())
	server(s, 22, command[ClanApplicant]())
	server(s, 22, command[ClanMembership]())
	either(s, 22, command[ClanRequest]())
	server(s, 23, command[ClanMember]())
	server(s, 23, command[ClanMemberRemoved]())
	server(s, 23, command[ClanMemberRank]())
	either(s, 23, command[ClanMemberRequest]())
	server(s, 25, command[GroupMember]())
	server(s, 25, command[GroupCandidate]())
	either(s, 25, command[GroupName]())
	either(s, 25, command[GroupOperation]())
	server(s, 26, command[Cleansed]())
	server(s, 27, command[FileCheck]())
	server(s, 27, command[FileCheckBegin]())
	server(s, 27, command[FileCheckEnd]())
	client(s, 27, command[FileCheckAnswer]())
	client(s, 27, command[FileCheckReport]())
	server(s, 32, command[Bonus]())
	client(s, 33, command[Ready]())
	client(s, 34, command[AntiCheat]())
	server(s, 36, command[AllianceValue]())
	client(s, 37, command[Help]())
	server(s, 46, command[Invitation]())
	client(s, 49, command[PickUp]())
	client(s, 53, command[SwapItems]())
	server(s, 56, command[Money]())
	server(s, 59, command[LoginValues59]())
	server(s, 62, command[LoginValues62]())
	server(s, 67, command[ReleaseUse]())
}

type (
	// Title is the key of the title over a person of a town.
	Title struct{ Key string }

	// Occupation is what a person of a town does: 50000 + its type, 11.2.
	Occupation struct{ Number uint32 }

	// CoinsReceived shows "you received … coins".
	CoinsReceived struct{ Amount, Colour uint32 }

	// ChatHeader announces a line of chat, its parts follow. From a client, and back to it for clan and group.
	//
	// Source: protocol ingame 15.3.
	ChatHeader struct {
		Channel uint8
		Length  uint32 // of the text in bytes, without any NUL
		Parts   uint16
	}

	// ChatPart is a part of a line: 250 bytes and a NUL; in a client's last one the rest and 5 NULs.
	ChatPart struct {
		Channel uint8
		Index   uint16
		Text    string // with its NULs
	}

	// Drop asks to put an item on the ground.
	Drop struct {
		Item    ObjectID
		X, Y, Z float32
		Zero    float32
		Unknown uint32
		Player  ObjectID
		Angle   coords.Angle8
	}

	// Drag asks to move an item on the ground.
	Drag struct {
		Item    ObjectID
		X, Y, Z float32
		Unknown uint32
	}

	// TakeInHand asks to take an item into the main hand; [EmptyHand] empties it.
	TakeInHand struct{ Item ObjectID }

	// Animation is what the player's body does: 0x08 draw, 0x0C sheathe, 0x16 fists ready, 0x17 and 0x18 blows of
	// fists, 0x09 and 0x0A of weapons.
	Animation struct{ Number uint8 }

	// OfferItem offers an item for sale.
	OfferItem struct {
		Slot     uint8
		Item     ObjectID
		Reserved uint32
		Value    uint32 // 0xFFFFFFFF
	}

	// AcceptPrice accepts the trader's price.
	AcceptPrice struct {
		Slot     uint8
		Reserved uint32
		Price    uint32
	}

	// PriceOffer is the trader's price for an offered item.
	PriceOffer struct {
		Slot   uint8
		Price  uint32
		Trader ObjectID
	}

	// Buy asks to buy what lies in a slot of the goods.
	Buy struct {
		Trader   ObjectID
		Slot     uint8
		Reserved uint16
		Price    uint32
		Count    uint32
	}

	// Bought answers [Buy].
	Bought struct {
		Item    ObjectID
		Total   uint32 // price of all
		Count   uint32
		Unknown uint8
	}

	// SystemText is a numbered text of the client.
	SystemText struct {
		Text   uint16
		Colour uint32
	}

	// SystemTextNumber is a numbered text with a number in it.
	SystemTextNumber struct {
		Text     uint16
		Colour   uint32
		Argument int16
	}

	// SystemMessage is a line of free text.
	//
	// Source: protocol ingame 15.5.
	SystemMessage struct {
		Mode     uint8 // 4, 5 or 7
		Reserved uint16
		Colour   uint32 // 0xAARRGGBB
		Text     string
	}

	// FistBlow strikes a target with the fist.
	FistBlow struct{ Target ObjectID }

	// Sold tells that an item was sold.
	Sold struct {
		Item      ObjectID
		Price     uint32 // 24 bits
		Trader    ObjectID
		Reserved  uint32
		Reserved2 uint32 // 24 bits
		Class     Class
	}

	// SetCoordinates puts the player at a place: teleport.
	SetCoordinates struct {
		X, Y, Z float32
		Yaw     float32 // radians
	}

	// SetPlace is SetCoordinates without a direction.
	SetPlace struct{ X, Y, Z float32 }

	// SpendPoints asks to spend stat points: strength, agility, accuracy, endurance, earth, air, water, fire.
	SpendPoints struct{ Deltas [8]int32 }

	// PlayEffect plays an effect on the player: 0x54 teleport, 0x2F6 regeneration.
	PlayEffect struct{ Effect uint16 }

	// PlayEffect8 is PlayEffect in one byte.
	PlayEffect8 struct{ Effect uint8 }

	// TradeWindow opens the trade with somebody, or closes it with [NoObject].
	TradeWindow struct{ Trader ObjectID }

	// CreateClan asks to create a clan.
	CreateClan struct{ Clan string }

	// RecruitToClan asks to take a player into the clan.
	RecruitToClan struct{ Player ObjectID }

	// LeaveClan asks to expel a member, or to leave with the own name.
	LeaveClan struct{ Name string }

	// ClanCreated tells that the clan exists.
	ClanCreated struct{}

	// ClanMembership tells the own clan and rank; 6: joined.
	ClanMembership struct {
		Rank uint8
		Clan string
	}

	// AcceptApplicant accepts who wants to join the clan. Recorded, not in the documents.
	AcceptApplicant struct{ Player ObjectID }

	// ChangeClanRank asks to change the rank of a member; recorded with ranks 5, 7 and 8.
	ChangeClanRank struct {
		Rank uint8
		Name string
	}

	// ClanApplicant tells of a player who wants to join the clan. Recorded, not in the documents.
	ClanApplicant struct{ Player ObjectID }

	// ClanRequest is every other operation about a clan.
	ClanRequest struct {
		Operation uint8
		Data      []byte
	}

	// ClanMember adds a member to the list. In the recordings its name has no NUL.
	ClanMember struct {
		Rank   uint8
		Player ObjectID
		Name   string
	}

	// ClanMemberRemoved takes a member from the list.
	ClanMemberRemoved struct{ Player ObjectID }

	// ClanMemberRank changes the rank of a member.
	ClanMemberRank struct {
		Rank   uint8
		Player ObjectID
	}

	// ClanMemberRequest is every other operation about members.
	ClanMemberRequest struct {
		Operation uint8
		Data      []byte
	}

	// GroupOperation is an operation about a group without a name: 0 create, 4 leave, 7 remove me; 5 clear the list,
	// 9 created, 11 you were removed, 13 destroyed. Data is empty then.
	//
	// Source: protocol ingame 16.1.
	GroupOperation struct {
		Operation uint8
		Data      []byte
	}

	// GroupName is an operation about a player: 1 apply, 2 accept, 3 kick; 10 removed.
	GroupName struct {
		Operation uint8
		Name      string
	}

	// GroupMember adds a member to the list.
	GroupMember struct {
		State  uint32 // 2 leader, 1 member
		Online uint32
		Name   string
	}

	// GroupCandidate tells of a player who applied (0) or was accepted (1).
	GroupCandidate struct {
		State uint32
		Name  string
	}

	// Cleansed comes with cleansing effects; meaning of its values unknown.
	Cleansed struct {
		Player  uint16
		Unknown [3]byte
	}

	// FileCheck asks the client to check its files: the "inventory" packets of the article are mostly these. No server
	// needs to ask.
	FileCheck struct {
		Folder [50]byte // ended by NUL
		Mask   [50]byte
	}

	// FileCheckBegin and FileCheckEnd stand around the checks.
	FileCheckBegin struct{}
	FileCheckEnd   struct{ Value uint8 }

	// FileCheckAnswer and FileCheckReport are what the client found.
	FileCheckAnswer struct{ Data [20]byte }
	FileCheckReport struct{ Data [64]byte }

	// Bonus stands in the entry block; meaning unknown.
	Bonus struct{ Value uint16 }

	// Ready is what the client sends once after the world was loaded: the server's turn.
	//
	// Source: protocol ingame 8.1.
	Ready struct{ Value uint8 } // 0x34

	// AntiCheat is a report that is sent once after loading.
	AntiCheat struct{ Data [12]byte }

	// AllianceValue follows joining a clan.
	AllianceValue struct{ Value uint32 }

	// Help precedes opening a trade.
	Help struct{ Value uint32 } // 7

	// Invitation invites to something that 50 accepts and 51 declines.
	Invitation struct {
		Token uint32
		Name  string
	}

	// PickUp asks to take an item into the first free slot.
	PickUp struct{ Item uint32 }

	// SwapItems asks to exchange two items. Its command number is assumed: 5 modulo 8 is what is known.
	SwapItems struct {
		Item1, Item2 uint32
		Slot1, Slot2 uint32
		Value        uint32 // 0xFFFFFFFF
	}

	// Money sets the money.
	Money struct{ Amount uint32 }

	// LoginValues59 and LoginValues62 stand in the credentials; meaning unknown.
	LoginValues59 struct{ Data []byte }
	LoginValues62 struct{ Data []byte }

	// ReleaseUse lets the client use things again. It must be the first answer to every use, attack, take, drag and swap.
	//
	// Source: protocol ingame 13.1.
	ReleaseUse struct{}
)

func (m *Title) fields(f *fields)           { f.restNUL(&m.Key) }
func (m *Occupation) fields(f *fields)      { num(f, &m.Number, 32) }
func (m *TakeInHand) fields(f *fields)      { f.id24(&m.Item) }
func (m *Animation) fields(f *fields)       { num(f, &m.Number, 8) }
func (m *FistBlow) fields(f *fields)        { f.id24(&m.Target) }
func (m *SetPlace) fields(f *fields)        { f.xyz(&m.X, &m.Y, &m.Z) }
func (m *PlayEffect) fields(f *fields)      { num(f, &m.Effect, 16) }
func (m *PlayEffect8) fields(f *fields)     { num(f, &m.Effect, 8) }
func (m *TradeWindow) fields(f *fields)     { f.id24(&m.Trader) }
func (m *FileCheckAnswer) fields(f *fields) { f.bytes(m.Data[:]) }
func (m *FileCheckReport) fields(f *fields) { f.bytes(m.Data[:]) }
func (m *Bonus) fields(f *fields)           { num(f, &m.Value, 16) }
func (m *Ready) fields(f *fields)           { num(f, &m.Value, 8) }
func (m *AntiCheat) fields(f *fields)       { f.bytes(m.Data[:]) }
func (m *AllianceValue) fields(f *fields)   { num(f, &m.Value, 32) }
func (m *Help) fields(f *fields)            { num(f, &m.Value, 32) }
func (m *PickUp) fields(f *fields)          { num(f, &m.Item, 32) }
func (m *Money) fields(f *fields)           { num(f, &m.Amount, 32) }
func (m *LoginValues59) fields(f *fields)   { f.restBytes(&m.Data) }
func (m *LoginValues62) fields(f *fields)   { f.restBytes(&m.Data) }
func (*ReleaseUse) fields(*fields)          {}

func (m *CoinsReceived) fields(f *fields) {
	num(f, &m.Amount, 32)
	num(f, &m.Colour, 32)
}

func (m *ChatHeader) fields(f *fields) {
	num(f, &m.Channel, 8)
	constant(f, uint8(1), 8)
	num(f, &m.Length, 32)
	num(f, &m.Parts, 16)
}

func (m *ChatPart) fields(f *fields) {
	num(f, &m.Channel, 8)
	constant(f, uint8(2), 8)
	num(f, &m.Index, 16)
	f.rest(&m.Text)
}

func (m *Drop) fields(f *fields) {
	f.id24(&m.Item)
	f.xyz(&m.X, &m.Y, &m.Z)
	f.float(&m.Zero)
	num(f, &m.Unknown, 32)
	f.id24(&m.Player)
	num(f, &m.Angle, 8)
}

func (m *Drag) fields(f *fields) {
	f.id24(&m.Item)
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Unknown, 32)
}

func (m *OfferItem) fields(f *fields) {
	num(f, &m.Slot, 8)
	f.id24(&m.Item)
	num(f, &m.Reserved, 32)
	num(f, &m.Value, 32)
}

func (m *AcceptPrice) fields(f *fields) {
	num(f, &m.Slot, 8)
	num(f, &m.Reserved, 32)
	num(f, &m.Price, 32)
}

func (m *PriceOffer) fields(f *fields) {
	num(f, &m.Slot, 8)
	num(f, &m.Price, 32)
	f.id24(&m.Trader)
}

func (m *Buy) fields(f *fields) {
	f.id24(&m.Trader)
	num(f, &m.Slot, 8)
	num(f, &m.Reserved, 16)
	num(f, &m.Price, 32)
	num(f, &m.Count, 32)
}

func (m *Bought) fields(f *fields) {
	f.id24(&m.Item)
	num(f, &m.Total, 32)
	num(f, &m.Count, 32)
	num(f, &m.Unknown, 8)
}

func (m *SystemText) fields(f *fields) {
	constant(f, uint8(0), 8)
	num(f, &m.Text, 16)
	num(f, &m.Colour, 32)
}

func (m *SystemTextNumber) fields(f *fields) {
	constant(f, uint8(2), 8)
	num(f, &m.Text, 16)
	num(f, &m.Colour, 32)
	signed(f, &m.Argument, 16)
}

func (m *SystemMessage) fields(f *fields) {
	num(f, &m.Mode, 8)
	num(f, &m.Reserved, 16)
	num(f, &m.Colour, 32)
	f.restNUL(&m.Text)
}

func (m *Sold) fields(f *fields) {
	f.id24(&m.Item)
	num(f, &m.Price, 24)
	f.id24(&m.Trader)
	num(f, &m.Reserved, 32)
	num(f, &m.Reserved2, 24)
	num(f, &m.Class, 16)
}

func (m *SetCoordinates) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	f.float(&m.Yaw)
}

func (m *SpendPoints) fields(f *fields) {
	for i := range m.Deltas {
		signed(f, &m.Deltas[i], 32)
	}
}

func (m *CreateClan) fields(f *fields) {
	constant(f, uint32(0), 32)
	f.restNUL(&m.Clan)
}

func (m *RecruitToClan) fields(f *fields) {
	constant(f, uint8(4), 8)
	f.id24(&m.Player)
}

func (m *LeaveClan) fields(f *fields) {
	constant(f, uint8(5), 8)
	f.restNUL(&m.Name)
}

func (m *AcceptApplicant) fields(f *fields) {
	constant(f, uint8(6), 8)
	f.id24(&m.Player)
}

func (m *ChangeClanRank) fields(f *fields) {
	constant(f, uint8(0x64), 8)
	num(f, &m.Rank, 8)
	f.restNUL(&m.Name)
}

func (m *ClanApplicant) fields(f *fields) {
	constant(f, uint8(4), 8)
	f.id24(&m.Player)
}

func (*ClanCreated) fields(f *fields) { constant(f, uint8(1), 8) }

func (m *ClanMembership) fields(f *fields) {
	num(f, &m.Rank, 8)
	f.restNUL(&m.Clan)
}

func (m *ClanRequest) fields(f *fields) {
	num(f, &m.Operation, 8)
	f.restBytes(&m.Data)
}

func (m *ClanMember) fields(f *fields) {
	constant(f, uint8(1), 8)
	num(f, &m.Rank, 8)
	f.id24(&m.Player)
	f.rest(&m.Name)
}

func (m *ClanMemberRemoved) fields(f *fields) {
	constant(f, uint8(4), 8)
	f.id24(&m.Player)
}

func (m *ClanMemberRank) fields(f *fields) {
	constant(f, uint8(5), 8)
	num(f, &m.Rank, 8)
	f.id24(&m.Player)
}

func (m *ClanMemberRequest) fields(f *fields) {
	num(f, &m.Operation, 8)
	f.restBytes(&m.Data)
}

func (m *GroupOperation) fields(f *fields) {
	num(f, &m.Operation, 8)
	f.restBytes(&m.Data)
}

func (m *GroupName) fields(f *fields) {
	num(f, &m.Operation, 8)
	switch m.Operation {
	case 1, 2, 3, 10:
	default:
		f.fail("group operation %d has no name", m.Operation)
	}
	f.restNUL(&m.Name)
}

func (m *GroupMember) fields(f *fields) {
	constant(f, uint8(6), 8)
	num(f, &m.State, 32)
	num(f, &m.Online, 32)
	f.restNUL(&m.Name)
}

func (m *GroupCandidate) fields(f *fields) {
	constant(f, uint8(12), 8)
	num(f, &m.State, 32)
	f.restNUL(&m.Name)
}

func (m *Cleansed) fields(f *fields) {
	num(f, &m.Player, 16)
	f.bytes(m.Unknown[:])
}

func (m *FileCheck) fields(f *fields) {
	f.bytes(m.Folder[:])
	f.bytes(m.Mask[:])
}

func (*FileCheckBegin) fields(f *fields) { constant(f, uint8(1), 8) }

func (m *FileCheckEnd) fields(f *fields) {
	constant(f, uint8(2), 8)
	num(f, &m.Value, 8)
}

func (m *Invitation) fields(f *fields) {
	num(f, &m.Token, 32)
	f.restNUL(&m.Name)
}

func (m *SwapItems) fields(f *fields) {
	num(f, &m.Item1, 32)
	num(f, &m.Item2, 32)
	num(f, &m.Slot1, 32)
	num(f, &m.Slot2, 32)
	num(f, &m.Value, 32)
}
