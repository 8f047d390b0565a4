/// One device that a send is for, and how it was found.
struct PushTarget: Sendable {
    /// The device.
    let device: DeviceAddress
    /// The registration that leads to it; nil when a direct send named a device without one.
    let registration: Registration?
    /// Why nothing can reach it; nil when a push can.
    var refusal: PushRefusal?
}
