/// When simulated devices have got enough.
enum DeviceGoal: Hashable, Sendable {
    /// Never.
    case none
    /// When so many notifications were shown by all devices together.
    case notifications(Int)
    /// When each device has shown one.
    case oneEach
}
