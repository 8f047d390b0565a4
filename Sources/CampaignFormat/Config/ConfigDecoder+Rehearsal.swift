import CampaignCore
import YAMLSyntax

/// `rehearsal:`, who tries campaigns out.
extension ConfigDecoder {
    mutating func testers(_ reader: MappingReader) -> Set<Username> {
        findings.require(ConfigKeys.rehearsal, of: reader, root: reader.keyRange)
        return Set(
            items("testers", of: reader) { findings, item in
                do throws(UsernameFault) {
                    return try Username(item.value.text)
                } catch {
                    findings.error(
                        .invalidUsername, at: item.range,
                        UsernameText.message(for: item.value.text, fault: error))
                    return nil
                }
            })
    }
}
