import Reports

extension Invocation {
    /// How text on stdout is written.
    var outputStyle: TextStyle { allowsColor(onTerminal: isOutputTerminal) ? .colored : .plain }

    /// How text on stderr is written.
    var errorStyle: TextStyle { allowsColor(onTerminal: isErrorTerminal) ? .colored : .plain }
}
