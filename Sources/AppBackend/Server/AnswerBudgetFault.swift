/// Why there is no room in an ``AnswerBudget``; its text is for the audit.
enum AnswerBudgetFault: String, Error {
    case spent = "too many bytes of answers are on their way"
    case spentByPerson = "too many bytes of answers to this user are on their way"
    case spentByAddress = "too many bytes of answers to this address are on their way"
}
