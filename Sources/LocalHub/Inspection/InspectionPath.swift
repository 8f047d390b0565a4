/// The path under which people look into the hub.
enum InspectionPath {
    /// The first segment: it starts with a dot, and no hub's name does.
    static let root = ".hubsend"

    /// Whether a path is below it.
    ///
    /// - Parameter segments: the path's segments.
    /// - Returns: whether it is.
    static func contains(_ segments: [some StringProtocol]) -> Bool {
        segments.first?.lowercased() == root
    }
}
