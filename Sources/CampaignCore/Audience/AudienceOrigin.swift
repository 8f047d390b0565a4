/// Where a person was named.
package struct AudienceOrigin: Hashable, Sendable {
    /// The file by the ``AudienceSource``'s number, 0 to 4,095; 0 is the campaign file itself.
    package let file: Int
    /// 1-based.
    package let line: Int

    package init(file: Int, line: Int) {
        self.file = file
        self.line = line
    }
}
