extension HubElement {
    /// Reads the body of an answer as XML.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - call: what it answers.
    /// - Throws: ``HubError`` when the body is none that anyone looks into.
    init(_ answer: HubAnswer, of call: HubCall) throws(HubError) {
        do throws(XMLFault) {
            self = try XMLElementReader.read(answer.body)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }
}
