/// A reason why deliveries of a run were rejected, failed or got no answer, with a count.
package struct TroubleReason: Hashable, Sendable {
    package var outcome: Outcome
    /// The result of ``essence(of:)``; may be empty.
    package var reason: String
    package var count: Int
    /// nil if the names were deleted.
    package var example: Username?

    package init(outcome: Outcome, reason: String, count: Int, example: Username?) {
        self.outcome = outcome
        self.reason = reason
        self.count = count
        self.example = example
    }

    /// The beginning of the text that the service appends, with an ID and a time that differ in
    /// each answer.
    private static let tracking = Array("trackingid:".utf8)
    private static let (hyphens, length) = ([8, 13, 18, 23], 36)

    /// A detail without the tracking ID, the time and other IDs, so that equal reasons have equal
    /// texts.
    package static func essence(of detail: String) -> String {
        var kept: [UInt8] = []
        var isCut = false
        var rest = Array(detail.utf8)[...]
        kept.reserveCapacity(rest.count)
        while let first = rest.first {
            if isTracking(rest) {
                isCut = true
                break
            }
            if isUUID(rest) {
                kept += "…".utf8
                rest = rest.dropFirst(length)
            } else {
                kept.append(first)
                rest = rest.dropFirst()
            }
        }
        guard isCut else { return String(decoding: kept, as: UTF8.self) }
        // A full stop or a comma comes before it, or nothing if the service gave no reason.
        while let last = kept.last, " .,:".utf8.contains(last) { kept.removeLast() }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func isTracking(_ rest: ArraySlice<UInt8>) -> Bool {
        // The first letter is compared first, because most texts already differ in it.
        guard let first = rest.first, first | 0x20 == tracking[0] else { return false }
        return rest.count >= tracking.count && zip(rest, tracking).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func isUUID(_ rest: ArraySlice<UInt8>) -> Bool {
        let start = rest.startIndex
        guard rest.count >= length,
            hyphens.allSatisfy({ rest[start + $0] == UInt8(ascii: "-") })
        else { return false }
        return rest.prefix(length).enumerated().allSatisfy { place, byte in
            byte.isHexDigit || hyphens.contains(place)
        }
    }
}
