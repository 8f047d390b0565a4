/// People who are named again with other values than at first; the first values count.
package struct ValueConflicts: Hashable, Sendable {
    /// One of them.
    package struct Example: Hashable, Sendable {
        /// Where the values stand that count; the member is without them.
        package let first: AudienceMember
        /// Where other values stand first.
        package let other: AudienceMember

        package init(first: AudienceMember, other: AudienceMember) {
            self.first = first
            self.other = other
        }
    }

    /// How many are kept, whatever the audience's size.
    package static let mostExamples = 5

    /// The first of them, in name order.
    package private(set) var examples: [Example] = []
    /// How many people there are.
    package private(set) var count = 0

    package init() {}

    /// Notes the next one in name order; it is made only if it is kept.
    package mutating func add(_ example: @autoclosure () -> Example) {
        count += 1
        if examples.count < Self.mostExamples { examples.append(example()) }
    }
}
