/// A key that tokens are checked with, and the one algorithm that it is for.
package struct TokenKey: Hashable, Sendable {
    /// The `kid` of the tokens that it checks; nil: of those without one, when it is the only key.
    package var id: String?
    package var algorithm: TokenAlgorithm
    /// The file that holds it: a public key in PEM, or for HMAC the secret, at least as long as the hash.
    package var file: String

    package init(id: String?, algorithm: TokenAlgorithm, file: String) {
        self.id = id
        self.algorithm = algorithm
        self.file = file
    }
}
