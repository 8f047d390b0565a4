import CLibYAML

/// Why libyaml could not go on, in its own words.
struct LibYAMLProblem: Error {
    /// What was found, such as `did not find expected key`; nil when memory ran out.
    let problem: String?

    /// The Unicode scalar at which it was found, from 0.
    let index: Int

    /// What was being read, such as `while parsing a block mapping`; empty if unknown.
    let context: String

    /// The Unicode scalar at which that began; meaningless without a context.
    let contextIndex: Int

    init(problem: String?, index: Int, context: String, contextIndex: Int) {
        self.problem = problem
        self.index = index
        self.context = context
        self.contextIndex = contextIndex
    }

    /// Reads the error that a parser has stopped at.
    init(_ parser: yaml_parser_t) {
        let isReader = unsafe parser.error == YAML_READER_ERROR
        unsafe self.init(
            problem: unsafe parser.problem.map { unsafe String(cString: $0) },
            index: isReader ? parser.mark.index : parser.problem_mark.index,
            context: unsafe parser.context.map { unsafe String(cString: $0) } ?? "",
            contextIndex: parser.context_mark.index)
    }
}
