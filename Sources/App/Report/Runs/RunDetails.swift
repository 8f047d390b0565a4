package import CampaignCore

package struct RunDetails: Hashable, Sendable {
    package var overview: RunOverview
    /// People with a try.
    package var tried: Int
    /// In report order.
    package var platforms: [PlatformOutcomes]
    /// nil when nothing was sent yet.
    package var course: RunCourse?
    /// By start; empty if everybody's turn is at once.
    package var waves: [WaveStanding]

    package init(
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
