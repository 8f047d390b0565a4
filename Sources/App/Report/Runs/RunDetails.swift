import CampaignCore

struct RunDetails: Hashable, Sendable {
    var overview: RunOverview
    /// People with a try.
    var tried: Int
    /// In report order.
    var platforms: [PlatformOutcomes]
    /// nil when nothing was sent yet.
    var course: RunCourse?
    /// By start; empty if everybody's turn is at once.
    var waves: [WaveStanding]

    init(
        _ overview: RunOverview, tried: Int, platforms: [PlatformOutcomes], course: RunCourse?,
        waves: [WaveStanding] = []
    ) {
        self.overview = overview
        self.tried = tried
        self.platforms = platforms
        self.course = course
        self.waves = waves
    }
}
