extension String {
    /// The text as a message repeats it: at most 80 characters.
    var shortened: String {
        let longest = 80
        guard unicodeScalars.count > longest else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(longest))) + "…"
    }
}
