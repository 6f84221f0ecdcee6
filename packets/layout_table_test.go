package packets

// The layouts of the documents, in the notation of layout_test.go, written down a second time: the tests hold the
// declarations of the package against them. A type that is registered and does not stand here fails
// TestLayoutsAreComplete.

// regionLayouts: protocol ingame 2.3 and 2.4. The first column is a class that has the region.
const regionLayouts = `
210 1  S TransformUpdate   u12 u12 u12 u8
500 2  S TransformState    f f f u8 u2
210 3  S AnimationState    u7
210 61 S SpawnSnapshot     f f f u8 u2 v v v v
1   4  S GameTime          u32
80  6  S TableLine         u9 u16 u7 u7 t4 u3 t4 u2
3083 6 S HostageName       t4
227 6  S FireworkValue     u32
4   0  S PlayerCount       u10
4   61 S PlayerCountSpawn  u10
5   61 S ChatLine          u3 u32 u8 z8 u3
5   2  S ChatChunk         z8
30  6  S Mutator           14*v u3 c4 v u4
2   1  S TransformUpdate   u12 u12 u12 u8
2   2  S TransformState    f f f u8 u2
2   3  S AnimationState    u7
2   6  S SetWornGear       3*c4 9*u7
2   7  S WorldSnapshot     z8 t4 s3 v u2 4*f v a8:16 a8:20 v v u3 v s6 v u4 u32
2   8  S ReceiveHit        u16 v v u3
2   10 S SetStat           u6 v
2   11 B PositionStream    u4 n*f
2   31 S Craft31           u4 u32
2   32 S Craft32           u4 u32
2   61 S PlayerSpawn       f f f u8 u32 t8 t4 s3 v v u2 u3 u6 u6 v u4 u2 u2 u1
`

// commandLayouts: protocol ingame 4, 11 to 16, session 4 to 6. The first column is the region, the second the number of
// the command, the third a class that has it.
const commandLayouts = `
ContMan  0  500  S PutInto           u24
ContMan  1  500  S LeaveContainer
ContMan  2  407  S FillSlot          u8 u24 s32
ContMan  2  2    S SlotWeight        u8 s32
ContMan  2  2    S ClearSlot         u8
ContMan  3  407  S ResetSlots        u8
ContMan  4  407  C MoveSlot          u24 u8 u8 u8
ContMan  4  407  C MovePart          u24 u8 u8 u8 u32
ContMan  6  2    C PutIntoSlot       u24 u8 u24 u8
ContMan  6  2    C PutPartIntoSlot   u24 u8 u24 u8 u32
ContMan  7  500  C Use               u24
ContMan  7  500  C UseOn             u24 u24
ContMan  7  500  C UseOnMore         u24 u24 b1
ContMan  8  500  S Used              u24
ContMan  9  500  S Property          u8 u32
ContMan  9  2    S ChangeHP          u24 u16
ContMan  9  500  C NameQuery         u24 3*u8
ContMan  10 213  C BecomeUser        u24
ContMan  11 2000 S SetParent         u24
ContMan  12 453  S StackCount        u16
ContMan  12 453  S StackCount8       u8
ContMan  12 453  S StackCount32      u32
ContMan  13 210  S ChangeObjectHP    u24 u16
ContMan  13 210  S Dies              u24 u8
ContMan  13 210  S ObjectHP          u16 u16 u16
ContMan  14 213  B CloseContainer    u24
ContMan  14 500  S PremiumLevel      u8
ContMan  15 30   S MutatorTimer      u16 u8 u16 u16
ContMan  15 62   S TeleportTexts     u16 u16
ContMan  15 60   S DoorNumber        u32
ContMan  15 61   S DoorYaw           u32 f
ContMan  15 60   S DoorTarget        f f f
ContMan  15 701  S KeyNumber         u16 u8 u24 u8 u16
ContMan  15 72   S TutorialNumber    u8 u8
ContMan  15 96   S LabyrinthMap      u16
ContMan  15 415  S ChestModel        u8 u8
ContMan  15 415  S ChestPlace        f f f
ContMan  15 415  S ChestTurn         f f f u8
ContMan  15 415  S ChestSprung       =1:8 4*u8
ContMan  15 205  S MissionGoals      in32,43 in32,43 in32,43 in32,43
ContMan  15 205  S MissionPlaces     in32,43 in32,43 in32,43 in32,43 in32,43 in32,43 in32,43
ContMan  15 205  S MissionLimits     u16 u16 u16 u16 u8 in1,2,3,4,5
ContMan  15 205  C MissionRequest    b1
ContMan  15 95   S MissionTarget     3*u8 s32 u32 4*u8
ContMan  15 95   S MissionRest       u32 u32 u32
ContMan  15 80   S CastleText        =2:8 u16
ContMan  15 80   S CastleFree        =1:8
ContMan  15 80   S CastleOwner       =1:8 z
ContMan  15 80   S CastleTaken       =5:8 u32
ContMan  15 81   S CastleGateValue   =4:8 u32
ContMan  15 80   S CastleSums        =4:8 u24 u24
ContMan  15 80   S CastleValue9      =9:8 u32
ContMan  15 80   S CastleValue7      =7:8 13*u8
ContMan  15 83   S CastleNode        u8 u32
ContMan  15 804  S FormulaRank       =4:8 u32 u8 s32 u8 u16
ContMan  15 804  S FormulaRange      =0:8 u32 u32
ContMan  15 804  S FormulaIngredients u32 u32 u32
ContMan  15 804  S FormulaAmounts    u8 u16
ContMan  15 710  S DungeonKey        u16 6*u8
ContMan  15 97   S Parcel            u16 s32 s32
ContMan  15 127  S TokenDestination  u16 u16
ContMan  15 90   S Subtype           u16
ContMan  15 213  S Model             w3-99
ContMan  15 80   C CastleRequest     u8 u32 u32
ContMan  16 210  S MonsterValue      u32
ContMan  16 80   S ObjectValue       u8
Manager  1  213  S Title             z
Manager  2  213  S Occupation        u32
Manager  1  2    S CoinsReceived     u32 u32
Manager  2  2    B ChatHeader        u8 =1:8 u32 u16
Manager  2  2    B ChatPart          u8 =2:8 u16 t
Manager  3  2    C Drop              u24 f f f f u32 u24 u8
Manager  3  2    C Drag              u24 f f f u32
Manager  4  2    C TakeInHand        u24
Manager  5  2    C Animation         u8
Manager  6  2    C OfferItem         u8 u24 u32 u32
Manager  6  2    C AcceptPrice       u8 u32 u32
Manager  6  2    C ClearOffer        u8
Manager  7  2    S PriceOffer        u8 u32 u24
Manager  7  2    C Bid               u8 u32 u24
Manager  7  2    C BidHere           u8 u32
Manager  8  2    C Buy               u24 u8 u16 u32 u32
Manager  8  2    S Bought            u24 u32 u32 u8
Manager  9  2    S SystemText        =0:8 u16 u32
Manager  9  2    S SystemTextNumber  =2:8 u16 u32 s16
Manager  9  2    S SystemWindow      =3:8 u16 u32 u16
Manager  9  2    S SystemWindowTexts =6:8 u16 u16 u16 u16 u16 u32
Manager  9  2    S SystemMessage     in4,5,7 u16 u32 E
Manager  9  2    S SystemArgument    =8:8 b
Manager  10 2    C FistBlow          u24
Manager  10 2    S WindowSignal      u8
Manager  10 2    S PlayerPlace       f f u24
Manager  11 2    S ClanMark          u16 u16
Manager  12 2    S TableWindow       u16 z
Manager  13 2    S Sold              u24 u24 u24 u32 u24 u16
Manager  14 2    S KeyAlarm          u8
Manager  14 2    S OpenLink          u32
Manager  14 2    S EntryValue14      5*u8
Manager  15 2    S SetCoordinates    f f f f
Manager  15 2    S SetPlace          f f f
Manager  16 2    S OtherServer8      u8
Manager  16 2    S OtherServer       u16
Manager  16 2    S EntryValue16      3*u8
Manager  17 2    C SpendPoints       8*s32
Manager  18 2    S PlayEffect        u16
Manager  18 2    S PlayEffect8       u8
Manager  19 2    S ItemLost          u24
Manager  20 2    S StateByte         u8
Manager  21 2    B TradeWindow       u24
Manager  22 2    C CreateClan        =0:32 z
Manager  22 2    C RecruitToClan     =4:8 u24
Manager  22 2    C LeaveClan         =5:8 z
Manager  22 2    C AcceptApplicant   =6:8 u24
Manager  22 2    C ChangeClanRank    =100:8 u8 z
Manager  22 2    S ClanCreated       =1:8
Manager  22 2    S ClanApplicant     =4:8 u24
Manager  22 2    S ClanMembership    in0,1,2,3,5,6,7 z
Manager  22 2    B ClanRequest       in99 b1
Manager  23 2    S ClanMember        =1:8 u8 u24 e
Manager  23 2    S ClanMemberRemoved =4:8 u24
Manager  23 2    S ClanMemberRank    =5:8 u8 u24
Manager  23 2    B ClanMemberRequest in2,3 b
Manager  25 2    S GroupMember       =6:8 u32 u32 E
Manager  25 2    S GroupCandidate    =12:8 u32 E
Manager  25 2    B GroupName         in1,2,3,10 z
Manager  25 2    B GroupOperation    in0,4,5,7,8,9,11,13 b
Manager  26 2    S Cleansed          u24 u16
Manager  27 2    S FileCheck         100*u8
Manager  27 2    S FileCheckBegin    =1:8
Manager  27 2    S FileCheckEnd      =2:8 u8
Manager  27 2    C FileCheckAnswer   5*s32
Manager  27 2    C FileCheckReport   64*u8
Manager  31 2    S Stolen            u24 u24 u32
Manager  32 2    S Bonus             u16
Manager  32 2    S PrizeCount        u8
Manager  32 2    S Prizes            u8 b2
Manager  33 2    C Ready             u8
Manager  34 2    C AntiCheat         8*u8 u32
Manager  36 2    S AllianceNotice    u8
Manager  36 2    S AllianceList      =20:8 b1
Manager  36 2    B AllianceRequest   u8 z1-40
Manager  37 2    C Help              u32
Manager  37 2    S FirstHelp         u32
Manager  40 2    C ForgetDungeon
Manager  43 2    S DungeonNumber     u32
Manager  44 2    B Console           z40 b
Manager  45 2    S Unauthorised
Manager  46 2    S Invitation        u32 E
Manager  46 2    C InviteToGroup     b
Manager  47 2    S MapMark           f f
Manager  48 2    C OwnMark           f f
Manager  49 2    C PickUp            u32
Manager  50 2    C AcceptInvitation  u32
Manager  51 2    C DeclineInvitation u32
Manager  53 2    C SwapItems         u32 u32 u32 u32 u32
Manager  54 2    S WebShop           u32 u32
Manager  56 2    S Money             u32
Manager  57 2    S TournamentResult  u8 u8 z40 b
Manager  58 2    S TournamentAction  z40 u8 b
Manager  59 2    S TournamentGroupState u8 u8 u8
Manager  59 2    S TournamentGroupPlaces u8 u8 16*u8
Manager  60 2    S TournamentCode    u8
Manager  61 2    S TournamentState   u8 u8
Manager  62 2    S LoginValues62     b
Manager  63 2    S TournamentShow    b
Manager  64 2    S LossNotice        s32 u32
Manager  67 2    S ReleaseUse
TradeMan 0  213  S Goods             u8 u24 u32 u32
TradeMan 0  2    S ClearGoods        u8
TradeMan 1  2    S TradeOffer        u8 u32 u24
TradeMan 2  2    C AcceptOffer       u8 u32
TradeMan 2  2    C BidFor            u8 u32 u24
TradeMan 3  213  S DisplayName       s32
TradeMan 5  2    S TradeText         u8 u32
TradeMan 5  2    S ShownEffect       u16
TradeMan 5  2    S ShownState        4*u8
TradeMan 6  415  S ObjectEffect      u16
TradeMan 7  2    S ShownKarma        u8
TradeMan 7  2    S ShownLevels       u8 u8
TradeMan 7  2    S ShownClan         =3:8 z1-12
TradeMan 8  210  S FlyingWeapon      u24 u16
TradeMan 9  2    S ClanTag           u8 E
TradeMan 11 2    S SpecialStates     u32
TradeMan 13 2    S MovementLock      u32
TradeMan 14 500  S ItemSuffix        u8
TradeMan 14 500  S ItemSuffixGrade   u8 u8
TradeMan 15 2    S NameplateStat     u8 u16
TradeMan 15 2    S NameplateStat32   u8 u32
Expiry   0  500  S ExpiresAt         u32
RegionManager 1 210 S AimPoint       b
RegionManager 3 210 S Attack         u32
Owner    1  2    S LoginTime         u32
Owner    3  2    S LoginError        b
Owner    4  2    S NameAccepted
Owner    4  2    S CharacterScreen   68*u8
Owner    4  2    C EnterWorld
Owner    5  2    S CannotConnect
Owner    6  2    C WorldLoaded
Owner    7  2    C CreateCharacter   z s32
Owner    8  2    S NameRejected
Owner    10 2    C Login             u8 z40 z40
Owner    11 2    S CharacterRecord   2*u16 8*s16 2*u16 u8 s16 2*u16 2*u32 s16 4*u16 s32 u8 p19 13*u8 s32 u32
Owner    12 2    C ChooseSlot        u8
Owner    12 2    C DeleteSlot        u8 2*u8
Owner    14 2    S AccountExpired
CaptureBar 0  80   S CaptureBegins
CaptureBar 1  80   S CaptureStops
CaptureBar 2  80   S CaptureCaption    z
Tournament 1  239  C TournamentListQuestion
Tournament 2  239  S TournamentEnabled b
Tournament 3  239  S TournamentNames   b
Tournament 4  239  C TournamentPrizeQuestion
Tournament 5  239  S TournamentPrizes  u8 u8 u8 b
Tournament 6  239  C TournamentStateQuestion
Tournament 7  239  C TournamentApplication 20*u8
Tournament 8  239  S TournamentAnswer  u8
Tournament 9  239  S TournamentReady   b
Tournament 10 239  C TournamentGroup   u32 u8 u8 u8
Tournament 11 239  S TournamentGroupAnswer u8
Extended14 1  2    S SwordGlow         b
Extended14 2  2    S OverheadMark      u8
Extended13 2  2    S EntryValue13      b
Extended13 3  2    S StillThere
Extended13 5  2    C MutatorBook       u24 u24 u8
Bank     15 226  C BankQuestion      u8
Bank     15 226  C BankBuy           =2:8 u8
Bank     15 226  S BankMoney         =0:8 u32 u32
Bank     15 226  S BankSize          u8 u8
`

// commandRegions tells number, width of the command and width of the array's count of the regions with commands. The
// width of a ContMan command depends on class and dialect too, protocol ingame 2.6.
var commandRegions = map[string]struct {
	number         uint8
	command, count int
	class          Class // one that has the region, for unknown commands
	maxArray       int
	make           func(Command) Region
	wide           int // the command's width in 2026, for other classes than the player
	set            *commandSet
}{
	"ContMan":  {4, 4, 8, 500, 255, func(c Command) Region { return &ContMan{c} }, 8, &contManCommands},
	"Manager":  {12, 8, 8, 2, 255, func(c Command) Region { return &Manager{c} }, 8, &managerCommands},
	"TradeMan": {9, 4, 4, 2, 15, func(c Command) Region { return &TradeMan{c} }, 4, &tradeManCommands},
	"Owner":    {0, 5, 8, 2, 255, func(c Command) Region { return &Owner{c} }, 5, &ownerCommands},
	"Expiry":   {15, 4, 4, 500, 15, func(c Command) Region { return &Expiry{c} }, 4, &expiryCommands},
	"RegionManager": {20, 32, 8, 210, 255, func(c Command) Region { return &RegionManager{c} }, 32,
		&regionManagerCommands},
	"Bank":       {12, 5, 8, 226, 255, func(c Command) Region { return &Bank{c} }, 5, &bankCommands},
	"Extended13": {13, 5, 8, 2, 255, func(c Command) Region { return &Extended13{c} }, 5, &extended13Commands},
	"Extended14": {14, 5, 8, 2, 255, func(c Command) Region { return &Extended14{c} }, 5, &extended14Commands},
	"Tournament": {37, 4, 8, 239, 255, func(c Command) Region { return &Tournament{c} }, 4, &tournamentCommands},
	"CaptureBar": {20, 5, 8, 80, 255, func(c Command) Region { return &CaptureBar{c} }, 5, &captureCommands},
}
