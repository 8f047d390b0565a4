import CampaignCore
import DeviceClient
import Foundation

/// What `hubsend device` was asked for.
struct DeviceSettings: Sendable {
    let user: Username
    let platform: DevicePlatform
    /// nil: each device makes one up.
    let handle: String?
    let tags: [String]
    let count: Int
    let backend: URL
    let credential: DeviceSecret
    /// The address of the hub's event stream about the user's devices.
    let events: DeviceEvents
    /// When it is enough.
    let goal: DeviceGoal
    /// How long to wait at the most; nil: for ever.
    let duration: Duration?
    let marksRead: Bool
    /// nil: nothing is saved.
    let folder: DeviceFolder?
    let format: ListFormat
    let isQuiet: Bool

    /// Limits of the devices' clients.
    var client: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(20)
        return settings
    }
}
