import HTTPServing

enum ServingParsers {
    static func target(_ text: String) {
        for plusIsSpace in [true, false] {
            guard
                let target = unlessRefused({
                    try RequestTarget(text, plusIsSpace: plusIsSpace)
                })
            else { continue }
            _ = target.query.repeatedName
            precondition(
                target.segments.allSatisfy {
                    PercentEncoding.decode(PercentEncoding.encode($0)) == $0
                }, "What is decoded can be encoded and decoded again.")
        }
        _ = Authority(text[...])
    }
}
