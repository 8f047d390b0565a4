/// The name of one user, as it stands behind `username:` in a hub tag.
///
/// 1 to 111 characters of `A-Z a-z 0-9 _ @ # . : -`, so that `username:<name>` keeps within the hub's 120
/// characters a tag. Names are compared exactly, by their bytes.
package struct Username: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The most characters a name may have.
    package static let maximumLength = 111

    /// The name, without the tag's prefix.
    package let text: String

    /// Checks a name.
    ///
    /// - Parameter text: the bare name.
    /// - Throws: ``UsernameFault`` when it is empty, too long or has a character that hub tags do not allow.
    package init(_ text: String) throws(UsernameFault) {
        if let fault = UsernameFault.first(in: text) { throw fault }
        self.text = text
    }

    /// Takes a name that was checked before, such as one read back from the store.
    package init(checked text: String) {
        self.text = text
    }

    /// The hub tag that addresses this user.
    package var tag: String { "username:" + text }

    package var description: String { text }

    package static func < (left: Username, right: Username) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
