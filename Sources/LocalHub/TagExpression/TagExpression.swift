/// The condition in `ServiceBusNotification-Tags` that says which devices a send is for.
///
/// Grammar, tightest first: `!`, `&&`, `||`, with parentheses (reference, section 4).
indirect enum TagExpression: Hashable, Sendable, Codable {
    case term(TagTerm)
    case not(TagExpression)
    case all([TagExpression])
    case any([TagExpression])

    /// Whether the expression holds for a device.
    ///
    /// - Parameter carries: whether the device carries a term.
    /// - Returns: whether it holds.
    func holds(_ carries: (TagTerm) -> Bool) -> Bool {
        switch self {
        case .term(let term): carries(term)
        case .not(let operand): !operand.holds(carries)
        case .all(let operands): operands.allSatisfy { $0.holds(carries) }
        case .any(let operands): operands.contains { $0.holds(carries) }
        }
    }
}
