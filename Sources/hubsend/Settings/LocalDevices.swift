import CampaignCore
import CampaignFormat
import LocalHub

/// Reads a devices file for the local hub.
enum LocalDevices {
    /// The devices of a file.
    ///
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    static func read(_ path: String) throws -> [LocalHubDevice] {
        let loaded = try DevicesFile.read(path)
        guard let devices = loaded.devices else { throw ConfigFaults(findings: loaded.diagnostics) }
        return devices.map { device in
            LocalHubDevice(
                user: device.user.text, platform: LocalHubPlatform(device.platform),
                handle: device.handle)
        }
    }
}
