package enum Durations {
    /// Such as `42 s`, `3 min 20 s`, `2 h 5 min`; fractions are rounded up.
    package static func text(seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3600: whole % 60 == 0 ? "\(whole / 60) min" : "\(whole / 60) min \(whole % 60) s"
        default:
            whole % 3600 < 60
                ? "\(whole / 3600) h" : "\(whole / 3600) h \(whole % 3600 / 60) min"
        }
    }
}
