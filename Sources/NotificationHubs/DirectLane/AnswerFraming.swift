/// What the header of an answer says about where its body ends, and which of its fields have come.
struct AnswerFraming {
    /// `Content-Length`, where it stands.
    var length: Int?
    /// Whether the body comes in chunks.
    var isChunked = false
    /// Whether a `Location` has come; only the first one counts.
    var hasLocation = false
}
