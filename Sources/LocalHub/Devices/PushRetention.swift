import NIOCore

/// Which mailbox holds each of the newest pushes of the whole hub, so that memory stays bounded however
/// many devices there are and however large their pushes.
struct PushRetention: Sendable {
    private struct Place {
        let mailbox: Int32
        let bytes: Int32
    }

    private let mostPushes: Int
    private let mostBytes: Int
    private var places: CircularBuffer<Place> = []
    private var bytes = 0
    /// The number of the newest push; 0: there was none.
    private(set) var newest = 0

    /// Makes a retention.
    ///
    /// - Parameter limits: how many pushes the hub keeps, and how many bytes of them.
    init(limits: LocalHubLimits) {
        mostPushes = limits.pushesInAll
        mostBytes = limits.pushBytes
    }

    /// Numbers the next push.
    ///
    /// - Parameters:
    ///   - mailbox: the place of the mailbox that it goes to.
    ///   - bytes: what it takes of memory that no other push shares.
    /// - Returns: its number, counted from 1.
    mutating func take(for mailbox: Int, bytes: Int) -> Int {
        newest += 1
        places.append(Place(mailbox: Int32(mailbox), bytes: Int32(clamping: bytes)))
        self.bytes += bytes
        return newest
    }

    /// Takes the oldest push out when there are too many; the newest always stays.
    ///
    /// - Returns: its mailbox and number; nil when nothing has to go.
    mutating func letGo() -> (mailbox: Int, sequence: Int)? {
        guard places.count > mostPushes || bytes > mostBytes, places.count > 1,
            let oldest = places.popFirst()
        else { return nil }
        bytes -= Int(oldest.bytes)
        return (Int(oldest.mailbox), newest - places.count)
    }

    /// Takes the oldest push out, whether anything has to go or not.
    ///
    /// - Parameter sequence: the number of the newest push that may go.
    /// - Returns: its mailbox and number; nil when none is left that may go.
    mutating func letGo(through sequence: Int) -> (mailbox: Int, sequence: Int)? {
        guard kept.lowerBound <= sequence, let oldest = places.popFirst() else { return nil }
        bytes -= Int(oldest.bytes)
        return (Int(oldest.mailbox), newest - places.count)
    }

    /// The numbers of the pushes that mailboxes may still keep.
    ///
    /// Some of them may have gone: a device keeps no more than its share, is forgotten, or is cleared.
    var kept: Range<Int> { newest - places.count + 1..<newest + 1 }

    /// The place of the mailbox that a push went to; nil when its number is none of ``kept``.
    func mailbox(of sequence: Int) -> Int? {
        guard kept.contains(sequence) else { return nil }
        let index = places.index(places.startIndex, offsetBy: sequence - kept.lowerBound)
        return Int(places[index].mailbox)
    }
}
