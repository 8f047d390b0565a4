import CampaignCore
import CampaignFormat
package import LocalHub
import Settings

/// Reads a devices file for the local hub.
package enum LocalDevices {
    /// The devices of a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: the folder of the config that names it, within which a link may lead; nil: a flag names it.
    /// - Returns: the devices.
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    package static func read(
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
    /// The hub's word for a platform.
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
