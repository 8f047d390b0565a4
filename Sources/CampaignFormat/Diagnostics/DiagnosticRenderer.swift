/// Writes diagnostics in one format.
package protocol DiagnosticRenderer: Sendable {
    /// Writes them in the order given.
    ///
    /// - Parameter diagnostics: any number.
    /// - Returns: text that ends in a line feed unless it is empty.
    /// - Throws: when a value cannot be encoded.
    func render(_ diagnostics: [Diagnostic]) throws -> String
}
