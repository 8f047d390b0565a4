/// Why a token opens nothing: each is a 401 (reference, section 8).
enum AuthorizationFailure: Error, Equatable {
    case missingToken
    case malformedToken
    case invalidSignature
    case invalidAudience
    case expiredToken

    /// The text before the tracking id in the error body.
    ///
    /// That of a wrong signature is the recorded one; the others name the sub-code that the SDKs know.
    var detail: String {
        switch self {
        case .missingToken:
            "SubCode=40102. MissingToken: The authorization header was not found."
        case .malformedToken:
            "SubCode=40105. MalformedToken: The token is malformed."
        case .invalidSignature:
            "InvalidSignature: The token has an invalid signature."
        case .invalidAudience:
            "SubCode=40104. InvalidAudience: The token is for another address."
        case .expiredToken:
            "SubCode=40106. ExpiredToken: The token is expired."
        }
    }
}
