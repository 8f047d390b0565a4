/// The two ids under which a request can be found again; the hub repeats the client's or makes its own.
struct RequestTracking: Equatable {
    /// The value of `TrackingId`.
    let trackingID: String
    /// The value of `x-ms-correlation-request-id`.
    let correlationID: String

    /// Takes the ids of a request.
    ///
    /// - Parameters:
    ///   - headers: the request's headers, names in lower case.
    ///   - random: a source of 64 random bits.
    init(headers: [String: String], random: () -> UInt64) {
        trackingID = Self.usable(headers["trackingid"]) ?? GUID.make(random)
        correlationID = Self.usable(headers["x-ms-correlation-request-id"]) ?? GUID.make(random)
    }

    /// The client's id when it is short and plain; anything else is replaced rather than repeated.
    private static func usable(_ text: String?) -> String? {
        guard let text, (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
