import CampaignCore
import CampaignFormat
import LocalHub

enum LocalDevices {
    /// - Parameter folder: the config's folder, which links must not leave; nil: a flag names it.
    static func read(
        _ path: String, within folder: String? = nil
    ) throws -> [LocalHubDevice] {
        let loaded = try DevicesFile.read(path, within: folder)
        guard let devices = loaded.devices else { throw ConfigFaults(findings: loaded.diagnostics) }
        return devices.map { device in
            LocalHubDevice(
                user: device.user.text, platform: LocalHubPlatform(device.platform),
                handle: device.handle)
        }
    }
}

extension LocalHubPlatform {
    init(_ platform: Platform) {
        switch platform {
        case .apns: self = .apns
        case .fcm: self = .fcm
        case .wns: self = .wns
        case .adm: self = .adm
        case .browser: self = .browser
        }
    }
}
