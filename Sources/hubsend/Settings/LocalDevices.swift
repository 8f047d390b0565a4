import CampaignCore
import CampaignFormat
import LocalHub

/// Reads a devices file for the local hub.
enum LocalDevices {
    /// The devices of a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: the folder of the config that names it, within which a link may lead; nil: a flag names it.
    /// - Returns: the devices.
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    static func read(_ path: String, within folder: String? = nil) throws -> [LocalHubDevice] {
        let loaded = try DevicesFile.read(path, within: folder)
        guard let devices = loaded.devices else { throw ConfigFaults(findings: loaded.diagnostics) }
        return devices.map { device in
            LocalHubDevice(
                user: device.user.text, platform: LocalHubPlatform(device.platform),
                handle: device.handle)
        }
    }
}
