/// The path under which people look into the hub.
enum InspectionPath {
    /// The first segment: it starts with a dot, and no hub's name does.
    static let root = ".hubsend"
}
