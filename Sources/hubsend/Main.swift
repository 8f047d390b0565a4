import App
import Glibc

@main enum Main {
    static func main() async {
        exit(await MainProgram.run())
    }
}
