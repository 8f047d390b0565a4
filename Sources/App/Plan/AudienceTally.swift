import CampaignCore
import Crypto
import Delivery
import FoundationEssentials

/// Counts and hashes a plan's people in one pass, in the order of their names.
///
/// The tally consists of only two digests, regardless of the number of people. The order of rows in
/// files does not matter, because a sorter delivers people by name.
final class AudienceTally {
    /// The key for people who read none of the campaign's languages.
    private static let otherLanguages = "default"

    private var names: HMAC<SHA256>
    private var values: HMAC<SHA256>
    private var languages: LanguageChoice

    init(_ payload: Payload, by digester: PlanDigester) {
        languages = LanguageChoice(payload.languages)
        names = digester.beginStream()
        values = digester.beginStream()
    }

    func add(_ members: [AudienceMember]) {
        var (nameBytes, valueBytes): ([UInt8], [UInt8]) = ([], [])
        for member in members {
            // The length of a name fits into one byte.
            let name = member.username.text.utf8
            nameBytes.append(UInt8(name.count))
            nameBytes += name
            valueBytes.append(UInt8(name.count))
            valueBytes += name
            Self.append(languages.language(for: member.language)?.text, to: &valueBytes)
            for value in member.values { Self.append(value, to: &valueBytes) }
            // Everybody has the same number of values, so only a time zone can follow them.
            if let zone = member.zone { Self.append(zone, to: &valueBytes) }
        }
        names.update(data: Data(nameBytes))
        values.update(data: Data(valueBytes))
    }

    func digest(of plan: CampaignPlan) -> AudienceDigest {
        let platforms = plan.platforms.map { ($0.platform, $0.recipients) }
        let languages = plan.languages.map {
            ($0.language?.text ?? Self.otherLanguages, $0.recipients)
        }
        return AudienceDigest(
            counts: plan.counts, platforms: Dictionary(platforms) { first, _ in first },
            languages: Dictionary(languages) { first, _ in first },
            names: Hexadecimal.text(names.finalize()),
            values: Hexadecimal.text(values.finalize()))
    }

    /// Appends a value after its length; a template treats missing and empty values the same.
    private static func append(_ value: String?, to bytes: inout [UInt8]) {
        let text = (value ?? "").utf8
        var count = text.count
        for _ in 0..<4 {
            bytes.append(UInt8(truncatingIfNeeded: count))
            count >>= 8
        }
        bytes += text
    }
}
