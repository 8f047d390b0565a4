import CampaignCore
import TestSupport

@testable import CampaignFormat

extension TemporaryFolder {
    /// The text of a small valid campaign.
    static func campaign(
        kind: String = "kind: secure", platforms: String = "[apns]",
        audience: String = "usernames: [alice]", payload: String = "text: Hello", rest: String = ""
    ) -> String {
        """
        campaign: test
        \(kind)
        platforms: \(platforms)
        audience: { \(audience) }
        payload: { \(payload) }
        \(rest)
        """
    }

    func load(_ text: String, name: String = "campaign.yaml", scope: FileScope = FileScope())
        throws -> LoadedCampaign
    {
        try CampaignFile.read(write(text, to: name), scope: scope)
    }

    var audienceFolders: AudienceFolders {
        AudienceFolders(files: SafeFolder(root: path, base: path, refused: []))
    }

    /// Writes an audience file and reads all of it; adds problems to `errors`.
    func people(
        _ text: String, in name: String, variables: [String] = [],
        options: AudienceFileOptions = AudienceFileOptions(), languageColumn: String? = nil,
        zoneColumn: String? = nil, zones: any TimeZoneDatabase = SystemTimeZones()
    ) throws -> (members: [AudienceMember], errors: [AudienceFileError]) {
        try people(
            Array(text.utf8), in: name, variables: variables, options: options,
            languageColumn: languageColumn, zoneColumn: zoneColumn, zones: zones)
    }

    /// Writes an audience file with arbitrary bytes and reads all of it; adds problems to `errors`.
    func people(
        _ bytes: [UInt8], in name: String, variables: [String] = [],
        options: AudienceFileOptions = AudienceFileOptions(), languageColumn: String? = nil,
        zoneColumn: String? = nil, zones: any TimeZoneDatabase = SystemTimeZones()
    ) throws -> (members: [AudienceMember], errors: [AudienceFileError]) {
        try write(bytes, to: name)
        let file = AudienceFile(
            path: name, shownPath: name, number: 1, allowsEmpty: false, options: options,
            languageColumn: languageColumn, zoneColumn: zoneColumn)
        var members: [AudienceMember] = []
        var errors: [AudienceFileError] = []
        do throws(AudienceFileError) {
            var reader = try AudienceFileReader(
                file, in: audienceFolders, variables: variables, zones: zones)
            while true {
                do throws(AudienceFileError) {
                    guard let member = try reader.next() else { break }
                    members.append(member)
                } catch {
                    errors.append(error)
                }
            }
        } catch {
            errors.append(error)
        }
        return (members, errors)
    }
}

extension AudienceSource {
    /// All people of one part, read in small steps.
    func all(_ part: AudiencePart, step: Int = 3) throws -> [AudienceMember] {
        var reader = try reader(of: part)
        var members: [AudienceMember] = []
        while true {
            let page = try reader.next(step)
            if page.isEmpty { return members }
            members += page
        }
    }
}
