import CampaignCore
import YAMLSyntax

/// Finds usernames in a campaign file that are e-mail addresses or phone numbers.
struct PersonalNameCheck {
    private static let dot = UInt8(ascii: ".")
    private static let zero = UInt8(ascii: "0")
    /// Names reported one by one, so that a comment can switch off each.
    private static let most = 20

    private let audience: AudienceSection?

    init(_ audience: AudienceSection?) {
        self.audience = audience
    }

    func run(_ remarks: inout Remarks) {
        guard let audience else { return }
        let names = (audience.named.usernames + audience.excluded.usernames).filter {
            remarks.areAbout($0.range) && Self.isPersonal($0.value.text)
        }
        for name in names.prefix(Self.most) {
            add(
                "The username \"\(audience: name.value.text)\" looks like an e-mail address or a phone number.",
                at: name, to: &remarks)
        }
        let others = names.dropFirst(Self.most)
        guard let next = others.first else { return }
        add(
            others.count == 1
                ? "One more username looks like an e-mail address or a phone number."
                : "\(Figures.count(others.count)) more usernames look like e-mail addresses or phone numbers.",
            at: next, to: &remarks)
    }

    private func add(
        _ message: DiagnosticMessage, at name: Located<Username>, to remarks: inout Remarks
    ) {
        remarks.add(
            .personalUsername, at: name.range, isPersonal: true, message,
            help:
                "Everybody who can read the repository, its reviews and build logs can read it; name people by an id of your own."
        )
    }

    /// An address with a domain, or a number as people dial it.
    ///
    /// Called for millions of names, so it works on bytes and allocates nothing.
    static func isPersonal(_ name: String) -> Bool {
        isAddress(name.utf8) || isPhoneNumber(name.utf8)
    }

    private static func isAddress(_ name: String.UTF8View) -> Bool {
        let sign = UInt8(ascii: "@")
        guard let at = name.firstIndex(of: sign), at > name.startIndex else { return false }
        let domain = name[at...].dropFirst()
        guard let end = domain.lastIndex(of: dot), !domain.contains(sign) else { return false }
        // No part of it is empty.
        var previous = dot
        for byte in domain {
            guard byte != dot || previous != dot else { return false }
            previous = byte
        }
        let last = domain[end...].dropFirst()
        return last.count >= 2
            && last.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
    }

    /// With a zero in front or in groups; digits alone may be an id.
    private static func isPhoneNumber(_ name: String.UTF8View) -> Bool {
        var (digits, groups, length) = (0, 1, 0)
        for byte in name {
            switch byte {
            case zero...UInt8(ascii: "9"):
                digits += 1
                length += 1
            case dot, UInt8(ascii: "-"):
                guard isGroup(length) else { return false }
                groups += 1
                length = 0
            default: return false
            }
        }
        // The shortest with an area code, and the longest there are (ITU-T E.164).
        guard (9...17).contains(digits) else { return false }
        if groups == 1 { return name.first == zero && digits >= 10 }
        return (3...5).contains(groups) && isGroup(length) && !isDate(name)
    }

    private static func isGroup(_ length: Int) -> Bool { (2...6).contains(length) }

    /// Such as 2026-11-22, with nine digits or more in groups of at least two.
    private static func isDate(_ name: String.UTF8View) -> Bool {
        let start = Array(name.prefix(8))
        return start.count == 8 && start[4] < zero && start[7] < zero
            && ["19", "20"].contains { start.starts(with: $0.utf8) }
    }
}
