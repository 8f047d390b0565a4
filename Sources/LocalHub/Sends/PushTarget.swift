/// One device that a send is for, and how it was found.
struct PushTarget: Sendable {
    /// The device.
    let device: DeviceAddress
    /// The registration that leads to it; nil for a device of nobody, which only direct senders name.
    let registration: Registration?
    /// Why nothing can reach it; nil when a push can.
    var refusal: PushRefusal?
}
