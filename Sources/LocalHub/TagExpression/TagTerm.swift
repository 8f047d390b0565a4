/// One operand of a tag expression: the tag that a registration must carry, compared exactly.
struct TagTerm: Hashable, Sendable, Codable {
    /// The tag as registrations carry it: a plain one, `$InstallationId:{…}` or `$UserId:{…}`.
    let text: String

    /// A plain tag.
    static func tag(_ tag: String) -> TagTerm { TagTerm(text: tag) }

    /// The tag that every registration of an installation carries.
    static func installation(_ id: String) -> TagTerm { TagTerm(text: "$InstallationId:{\(id)}") }

    /// The tag that every registration of a user's installations carries.
    static func user(_ id: String) -> TagTerm { TagTerm(text: "$UserId:{\(id)}") }
}
