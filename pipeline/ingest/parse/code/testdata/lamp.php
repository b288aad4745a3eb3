<html>{
<?php
/**
 * Lamps.
 */

namespace Lantern;

use Foo\Bar;

/**
 * A lamp.
 */
#[Entity]
final class Lamp extends Base implements Light
{
    private string $name = "it's {";

    /**
     * Lights it.
     *
     * @param string $wick
     */
    public function light(string $wick): bool
    {
        $x = <<<TEXT
        function fake() {
        TEXT;
        return true;
    }

    abstract protected function off(): void;
}

function helper($x) { return fn($y) => $y; }
?>
</html>}
